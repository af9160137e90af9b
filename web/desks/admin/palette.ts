import { definePalette } from '../../frame/palette.ts'
import { sources } from './sources.ts'

export default definePalette(...sources)
