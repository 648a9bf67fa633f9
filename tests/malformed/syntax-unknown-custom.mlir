frob %0, %1
