error "not run"
