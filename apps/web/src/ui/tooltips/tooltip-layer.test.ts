import { describe, expect, test } from 'vitest'
import { placeTooltip } from './tooltip-layer.tsx'

const window = { width: 400, height: 300 }
const box = { width: 100, height: 20 }

describe('placeTooltip', () => {
  test('is above the middle of its control', () => {
    expect(placeTooltip({ left: 180, right: 220, top: 100, bottom: 120 }, box, window)).toEqual({ left: 150, top: 74 })
  })

  test('is below a control at the top of the window', () => {
    expect(placeTooltip({ left: 180, right: 220, top: 10, bottom: 30 }, box, window).top).toBe(36)
  })

  test('never leaves the window at its sides', () => {
    expect(placeTooltip({ left: 0, right: 20, top: 100, bottom: 120 }, box, window).left).toBe(8)
    expect(placeTooltip({ left: 380, right: 400, top: 100, bottom: 120 }, box, window).left).toBe(292)
  })
})
