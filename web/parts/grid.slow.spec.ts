import './grid.spec.ts'
