"d.op"() {a = dense_resource<w> : tensor<2xi32>, b = dense_resource<"a b"> : vector<1xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000100000002000000"
    }
  },
  external_resources: {
    owner: { text: "a string", flag: true, blob: "0x04000000AB" }
  }
#-}
