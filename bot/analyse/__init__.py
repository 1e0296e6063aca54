"""The analysis page: a local web page that analyses boards and screenshots with Sapper's engine."""
