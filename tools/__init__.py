"""Development tools: scripts that set up a machine, check proofs and generate pages."""
