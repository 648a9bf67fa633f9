"d.op"() : () -> vector<0xi32>
