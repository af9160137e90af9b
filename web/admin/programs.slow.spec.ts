import './programs.spec.ts'
