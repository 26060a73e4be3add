import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What axe finds on the page as it is, or in parts of it, in both themes, at the levels that exclude people. */
export async function findings(page: Page, where: string, parts?: string): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['light', 'dark']) {
    await page.evaluate((next) => (document.documentElement.dataset['theme'] = next), theme)
    // Colours change slowly; a colour measured during a transition is not a final one. Animations are finished
    // instead of awaited: an animation that is paused or out of sight may never say that it has finished.
    await page.evaluate(() => {
      for (const animation of document.getAnimations())
        if (animation.effect?.getTiming().iterations !== Infinity) animation.finish()
    })
    const whole = await axeOn(page)
    const axe = parts === undefined ? whole : whole.include(parts)
    // In the dark theme only the colours differ.
    const { violations } = await (theme === 'dark' ? axe.withRules('color-contrast') : axe).analyze()
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      for (const { html, failureSummary } of nodes) {
        // The text keeps the focus, and its arrow keys go through the list.
        if (id === 'scrollable-region-focusable' && html.includes('role="listbox"')) continue
        found.push(`${where}, ${theme}: ${id} ${html}\n${failureSummary ?? ''}`)
      }
    }
  }
  return found
}

/** Controls on the page whose names don't contain their visible texts, by which users of voice control call them. */
export async function namesUnlikeTexts(page: Page): Promise<string[]> {
  // Axe counts this rule as experimental, and only runs it if it is asked to.
  const { violations } = await (await axeOn(page)).withRules('label-content-name-mismatch').analyze()
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))
}

/** Axe, which the page is given once. It only writes out what violates its rules: the rest is most of its work. */
async function axeOn(page: Page): Promise<AxeBuilder> {
  const isThere = page.frames().length === 1 && (await page.evaluate(() => 'axe' in window))
  const axe = new AxeBuilder(isThere ? { page, axeSource: '/* given already */' } : { page })
  return axe.setLegacyMode().options({ resultTypes: ['violations'] })
}
