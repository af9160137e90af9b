import './chart.spec.ts'
