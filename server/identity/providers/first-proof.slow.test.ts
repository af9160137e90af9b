import './first-proof.test.ts'
