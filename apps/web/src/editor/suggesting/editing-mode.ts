import { createStore, type Store } from '../../app/store.ts'

/** What one's own changes do: they are made, they are suggested, or there are none. */
export type EditingMode = 'editing' | 'suggesting' | 'viewing'

/** The modes, in the order in which they are offered. */
export const editingModes: readonly EditingMode[] = ['editing', 'suggesting', 'viewing']

/** What turns edits into suggestions; loaded when somebody begins to suggest. */
export type SuggestingTools = typeof import('./suggesting-tools.ts')

/** A mode that can be chosen. It is `suggesting` only while there are tools for it, so that nothing is done untracked meanwhile. */
export type EditingModeStore = Store<EditingMode> & { tools(): SuggestingTools | undefined }

/** What `createEditingMode` needs: where the mode is kept between visits (`localStorage` in a browser), and how the tools are loaded. */
export type EditingModeOptions = {
  memory: Pick<Storage, 'getItem' | 'setItem'>
  load: () => Promise<SuggestingTools>
  onFailure: (error: unknown) => void
}

/** The mode in which this person works on one document, remembered in this browser. */
export function createEditingMode(document: string, { memory, load, onFailure }: EditingModeOptions): EditingModeStore {
  const key = `copydesk mode ${document}`
  const kept = editingModes.find((mode) => mode === read(memory, key)) ?? 'editing'
  const store = createStore<EditingMode>(kept === 'suggesting' ? 'viewing' : kept)
  let wanted = kept
  let tools: SuggestingTools | undefined
  const loadTools = async () => {
    try {
      tools ??= await load()
      if (wanted === 'suggesting') store.set('suggesting')
    } catch (error) {
      onFailure(error)
    }
  }
  if (kept === 'suggesting') void loadTools()
  return {
    ...store,
    tools: () => tools,
    set(mode) {
      wanted = mode
      write(memory, key, mode)
      if (mode !== 'suggesting' || tools) store.set(mode)
      else void loadTools()
    },
  }
}

// A browser may refuse to keep anything; the mode then lasts as long as the page.
function read(memory: EditingModeOptions['memory'], key: string): string | null {
  try {
    return memory.getItem(key)
  } catch {
    return null
  }
}

function write(memory: EditingModeOptions['memory'], key: string, mode: EditingMode): void {
  try {
    memory.setItem(key, mode)
  } catch {
    // Nothing to do about it.
  }
}
