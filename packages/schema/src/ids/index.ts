export { firstIndex } from './first-index.ts'
export { IdMap, type IdRange, type Piece } from './id-map.ts'
