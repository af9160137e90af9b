import './providers.spec.ts'
