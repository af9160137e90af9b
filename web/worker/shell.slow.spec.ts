import './shell.spec.ts'
