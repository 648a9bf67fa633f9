loc
