"""What agents say beside what their tools returned, and halgo as a tool of theirs."""
