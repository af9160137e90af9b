import './style.css'
import type { PageProps } from '../../addresses.ts'
import { OrderList } from './list.tsx'
import { OneOrder } from './one.tsx'

export default function Orders({ params: { id } }: PageProps) {
  return id ? <OneOrder key={id} id={Number(id)} /> : <OrderList />
}
