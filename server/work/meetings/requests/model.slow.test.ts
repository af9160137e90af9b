import './model.test.ts'
