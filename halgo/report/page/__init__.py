"""A Report as a page: one HTML file that loads nothing, readable without script and style.

`render` puts the page together; the other modules are its parts, which a page of another program
may use as well. Text of users passes `markup.text` and is text wherever it stands.
"""
