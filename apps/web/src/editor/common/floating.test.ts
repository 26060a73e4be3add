import { expect, test } from 'vitest'
import { placeBeside } from './floating.tsx'

const room = { width: 390, height: 800 }
const box = { width: 300, height: 100 }

test('is below the text, and above it near the bottom', () => {
  expect(placeBeside({ left: 20, top: 100, bottom: 120 }, box, 'below', room)).toEqual({ left: 20, top: 128 })
  expect(placeBeside({ left: 20, top: 740, bottom: 760 }, box, 'below', room)).toEqual({ left: 20, top: 632 })
})

test('is above the text, and below it near the top', () => {
  expect(placeBeside({ left: 20, top: 300, bottom: 320 }, box, 'above', room)?.top).toBe(192)
  expect(placeBeside({ left: 20, top: 40, bottom: 60 }, box, 'above', room)?.top).toBe(68)
})

test('stays within the window', () => {
  expect(placeBeside({ left: 380, top: 100, bottom: 120 }, box, 'below', room)?.left).toBe(78)
  expect(placeBeside(null, box, 'below', room)).toBeNull()
})

test('does not cover what is above the text', () => {
  const spot = { left: 20, top: 210, bottom: 230, roof: 104 }
  expect(placeBeside(spot, box, 'above', room)?.top).toBe(238)
  expect(placeBeside({ ...spot, bottom: 790 }, box, 'above', room)?.top).toBe(104)
})
