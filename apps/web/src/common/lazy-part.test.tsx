import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { earlyPart } from './lazy-part.ts'

test('[LAYOUT-11] a part whose code is there is shown at once, without a Suspense that would delay it', async () => {
  let loads = 0
  const { load, Part } = earlyPart<{ name: string }>(
    async () => {
      loads += 1
      return ({ name }) => <p>{name}</p>
    },
    () => <i>waiting</i>,
  )
  const shown = () => renderToStaticMarkup(<Part name="text" />)
  expect(shown()).toBe('<i>waiting</i>')
  await Promise.all([load(), load()])
  expect(shown()).toBe('<p>text</p>')
  expect(loads).toBe(1)
})
