module roundtrip

go 1.23

require shop v0.0.0

require gopkg.in/validator.v2 v2.0.1 // indirect

replace shop => ./shop
