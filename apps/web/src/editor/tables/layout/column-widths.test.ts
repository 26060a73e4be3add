import { expect, test } from 'vitest'
import { growColumn, moveEdge } from './column-widths.ts'

test('[TABLE-2] the next column makes room for a moved edge; the last edge changes the table', () => {
  expect(moveEdge([200, 200, 208], 0, 50)).toEqual([250, 150, 208])
  expect(moveEdge([200, 200, 208], 1, -50)).toEqual([200, 150, 258])
  expect(moveEdge([200, 200, 208], 2, 50)).toEqual([200, 200, 258])
})

test('[TABLE-2] no column gets too narrow and no table too wide', () => {
  expect(moveEdge([200, 200], 0, 500)).toEqual([360, 40])
  expect(moveEdge([200, 200], 0, -500)).toEqual([40, 360])
  expect(moveEdge([200, 200], 1, 1e6)).toEqual([200, 2232])
  // A column that is already narrower, as a peer may have written it, isn't widened.
  expect(moveEdge([20, 200], 0, -5)).toEqual([20, 200])
  expect(moveEdge([200, 20], 0, 5)).toEqual([200, 20])
})

test('[TABLE-2] the menu makes columns wider within the width of the table, the last one, too', () => {
  expect(growColumn([200, 200], 0, 32)).toEqual([232, 168])
  expect(growColumn([200, 200], 1, 32)).toEqual([168, 232])
  expect(growColumn([200], 0, 32)).toEqual([232])
})
