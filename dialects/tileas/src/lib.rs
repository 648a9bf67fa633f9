//! Tile dialects of orison: nv_tileas and the nv_tileaa operations around it.
