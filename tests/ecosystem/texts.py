"""The sources and answers of the ten cases."""

SOURCES = ["A late fee of 1.5% per month applies.", "Payment is due within thirty (30) days."]
GROUNDED = "Payment is due within 30 days."
CONTRADICTED = "Payment is due within 30 days. The late fee is 5% per month."
# What is right of the one period is wrong of the other.
LEASE = ["The notice period is 60 days.", "The trial period is 30 days."]
SHORT = "60 days."
QUESTION = "How long is the trial period?"
REFUSAL = "I don't have enough information to answer."
