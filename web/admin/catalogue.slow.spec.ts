import './catalogue.spec.ts'
