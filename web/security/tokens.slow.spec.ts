import './tokens.spec.ts'
