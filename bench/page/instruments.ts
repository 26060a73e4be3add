/** Measurements inside a page, installed before its own scripts run. Times are in milliseconds. */
type Measured = { keys: number[]; editableAt: number | undefined; paragraphs: number }

const measured: Measured = { keys: [], editableAt: undefined, paragraphs: 5000 }
Object.assign(globalThis, { measured })

// A task that is posted in an animation frame runs after that frame has been painted.
const channel = new MessageChannel()
const painted: number[] = []
channel.port1.addEventListener('message', () => {
  const now = performance.now()
  for (const pressedAt of painted.splice(0)) measured.keys.push(now - pressedAt)
})
channel.port1.start()

addEventListener(
  'keydown',
  ({ key, timeStamp }) => {
    if (key.length !== 1) return
    requestAnimationFrame(() => {
      painted.push(timeStamp)
      channel.port2.postMessage(null)
    })
  },
  { capture: true },
)

function lookForEditor(): void {
  const editor = document.querySelector('.ProseMirror[contenteditable="true"]')
  if (editor !== null && editor.childElementCount >= measured.paragraphs) measured.editableAt = performance.now()
  else requestAnimationFrame(lookForEditor)
}
requestAnimationFrame(lookForEditor)
