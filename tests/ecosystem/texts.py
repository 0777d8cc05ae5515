"""The sources and answers of the nine cases."""

SOURCES = ["A late fee of 1.5% per month applies.", "Payment is due within thirty (30) days."]
GROUNDED = "Payment is due within 30 days."
CONTRADICTED = "Payment is due within 30 days. The late fee is 5% per month."
REFUSAL = "I don't have enough information to answer."
