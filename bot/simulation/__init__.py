"""Games without a screen: simulated boards, tournaments on many processes, exact values of small boards."""
