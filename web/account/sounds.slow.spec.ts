import './sounds.spec.ts'
