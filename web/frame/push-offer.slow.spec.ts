import './push-offer.spec.ts'
