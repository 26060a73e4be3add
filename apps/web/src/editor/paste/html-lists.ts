/** Google Docs and older pages put a nested list next to its item: moves it into the preceding item. */
export function joinNestedLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    const before = list.previousElementSibling
    if (before?.tagName === 'LI') {
      before.append(list)
      continue
    }
    const item = body.ownerDocument.createElement('li')
    list.replaceWith(item)
    item.append(list)
  }
}

/**
 * Check lists of Google Docs, GitHub and Notion: items with a checkbox become tasks, if all of a list's items have one.
 */
export function readTasks(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul')) {
    const items = [...list.children].filter(({ tagName }) => tagName === 'LI')
    const states = items.map(checkedState)
    if (items.length > 0 && states.every((state) => state !== undefined)) {
      list.setAttribute('data-type', 'taskList')
      items.forEach((item, index) => {
        item.setAttribute('data-type', 'taskItem')
        item.setAttribute('data-checked', String(states[index]))
      })
    }
  }
  for (const box of body.querySelectorAll('input')) box.remove()
}

function checkedState(item: Element): boolean | undefined {
  if (item.getAttribute('role') === 'checkbox') return item.getAttribute('aria-checked') === 'true'
  if (item.getAttribute('data-type') === 'taskItem') return item.getAttribute('data-checked') === 'true'
  const box = item.querySelector('input[type="checkbox"]')
  return box && box.closest('li') === item ? box.hasAttribute('checked') : undefined
}
