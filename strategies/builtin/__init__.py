"""The strategies that come with Sapper, one file each. They are plugins like any other."""
