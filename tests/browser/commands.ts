import { type ElementHandle, expect, type Page } from '@playwright/test'

/** Where a walk starts. */
export type Start = {
  /** Whether the page still holds the document with what the walk starts at. */
  isThere: () => Promise<boolean>
  /** Comes back to the document, and takes back what commands have done to it: sooner done than opening another. */
  restore: () => Promise<void>
  /** Takes back the last change of the document. */
  undo: () => Promise<void>
  /** Opens another document. */
  open: () => Promise<void>
  /** Closes what is open, and begins; `isBegun` says whether that is still so. */
  begin: () => Promise<void>
  isBegun: () => Promise<boolean>
}

/**
 * Carries out every command that the interface offers and that isn't among `done`, found in the page itself: its
 * buttons, links, selects, tabs and menu items, and those of everything that they open. Calls `check` after each one.
 */
export async function walkCommands(
  page: Page,
  done: Set<string>,
  start: Start,
  check: (command: string) => Promise<void>,
): Promise<void> {
  await start.begin()
  const first = await regionsOf(page)
  const isFirst = async (): Promise<boolean> => {
    const now = await regionsOf(page)
    return now.size === first.size && [...first].every((region) => now.has(region)) && (await start.isBegun())
  }
  const reach = async (path: readonly string[]): Promise<boolean> => {
    if (!(await start.isThere())) await start.restore()
    if (!(await start.isThere())) await start.open()
    if (!(await isFirst())) {
      await start.begin()
      // What a selection has shown goes a moment after the selection; opening another document takes longer.
      const isSettled = expect.poll(isFirst, { timeout: 500, intervals: [50] }).toBe(true)
      const hasBegun = await isSettled.then(
        () => true,
        () => false,
      )
      if (!hasBegun) {
        await start.open()
        await start.begin()
      }
    }
    if (await follow(path)) return true
    // The last command may have given what leads there another name.
    await start.undo()
    await start.begin()
    if (await follow(path)) return true
    // What leads there may be shown only in a document as it was first.
    await start.open()
    await start.begin()
    return follow(path)
  }
  const follow = async (path: readonly string[]): Promise<boolean> => {
    for (const command of path) if (!(await act(page, command))) return false
    return true
  }
  const visit = async (path: readonly string[], isInside: (region: string) => boolean): Promise<void> => {
    while (await reach(path)) {
      const next = (await listCommands(page)).find((command) => !done.has(command) && isInside(regionOf(command)))
      if (next === undefined) return
      done.add(next)
      const before = await regionsOf(page)
      const address = page.url()
      if (!(await act(page, next))) continue
      await check(next)
      const opened = await openedSince(page, before)
      if (page.url() === address && opened.length > 0) await visit([...path, next], (region) => opened.includes(region))
    }
  }
  await visit([], () => true)
}

async function regionsOf(page: Page): Promise<Set<string>> {
  return new Set(await page.evaluate(() => window.regions()))
}

async function openedSince(page: Page, before: ReadonlySet<string>): Promise<string[]> {
  return [...(await regionsOf(page))].filter((region) => !before.has(region))
}

async function act(page: Page, command: string): Promise<boolean> {
  const found = await page.evaluateHandle(findCommand, command)
  const element: ElementHandle | null = found.asElement()
  if (!element) return false
  const before = await regionsOf(page)
  const opens = await element.evaluate(
    (each) => each instanceof Element && each.matches('[aria-haspopup]:not([aria-expanded="true"])'),
  )
  const hasActed = await element.click({ timeout: 3000 }).then(
    () => true,
    () => false,
  )
  // It was replaced meanwhile, such as by what its own list has loaded.
  if (!hasActed) return false
  // What is loaded only when it is opened.
  if (opens) await expect.poll(async () => (await openedSince(page, before)).length).toBeGreaterThan(0)
  else await page.evaluate(() => new Promise((done) => void requestIdleCallback(done, { timeout: 300 })))
  return true
}

/** The commands that a page offers at the moment, each with the part of the page that it is in. */
export async function listCommands(page: Page): Promise<string[]> {
  return page.evaluate(() => [...window.commandsOf().keys()])
}

// The part of the page that a command is in.
function regionOf(command: string): string {
  return command.split(' › ', 1)[0] ?? ''
}

function findCommand(command: string): Element | undefined {
  return window.commandsOf().get(command)
}

declare global {
  interface Window {
    commandsOf: () => Map<string, HTMLElement>
    regions: () => string[]
  }
}

/** Makes a page list its commands; before it is opened. */
export async function canListCommands(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kinds = 'button, a[href], summary, [role^="menuitem"], [role="tab"], [role="radio"], [role="switch"]'
    const regions =
      '[role="dialog"], [role="menu"], [role="search"], [role="toolbar"], [role="group"], section, nav, aside, form'
    const nameOf = (element: Element): string => {
      const named = element.getAttribute('aria-labelledby')
      const labelling = named === null ? null : document.getElementById(named)
      const label = labelling?.getAttribute('aria-label') ?? labelling?.textContent
      return (element.getAttribute('aria-label') ?? label ?? element.textContent)
        .replace('(now)', '')
        .replaceAll(/\s+/g, ' ')
        .trim()
    }
    window.regions = () =>
      [...document.querySelectorAll(regions)]
        .filter((each) => each.checkVisibility())
        .map((each) => nameOf(each).slice(0, 40))
    window.commandsOf = () => {
      const commands = new Map<string, HTMLElement>()
      for (const element of document.querySelectorAll<HTMLElement>(kinds)) {
        const isOff = element.matches(
          ':disabled, [aria-disabled="true"], [data-disabled], [inert] *, [aria-hidden="true"] *',
        )
        if (isOff || !element.checkVisibility() || getComputedStyle(element).pointerEvents === 'none') continue
        const region = element.parentElement?.closest(regions)
        const command = `${region ? nameOf(region).slice(0, 40) : ''} › ${nameOf(element).slice(0, 60)}`
        if (!commands.has(command)) commands.set(command, element)
      }
      return commands
    }
  })
}

/** Expects the focus on something in the page that is shown, once what a command has set off is over. */
export async function expectFocus(page: Page, command: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      const isNowhere = !element || element === document.body || !element.checkVisibility()
      return isNowhere ? 'nothing' : element.tagName
    })
  await expect.poll(focused, { message: `focus after ${command}` }).not.toBe('nothing')
}
