// Keeps the app itself in the browser, so that a page reloads without the server. Answers of the API are never kept.
// See docs/decisions/0027-the-app-reloads-offline.md.

const prefix = 'copydesk '
// Between two requests to a server that is down.
const pauseMs = 2000

// One cache for each build, the newest last.
const builds = async () => (await caches.keys()).filter((name) => name.startsWith(prefix))

/** Keeps a page of the app as what every address shows offline, and the caches of its build and of the one before. */
async function keepPage(response) {
  const entry = /\/assets\/[^"]+\.js/.exec(await response.clone().text())?.[0]
  if (entry === undefined) return
  const name = prefix + entry
  const known = await builds()
  if (known.at(-1) !== name) await Promise.all([...known.slice(0, -1), name].map((old) => caches.delete(old)))
  await (await caches.open(name)).put('/', response)
}

/** A page comes from the server, so that a deployment is seen at once; without it the kept one is shown. */
async function answerPage(event) {
  const answer = Promise.resolve(event.preloadResponse).then((loaded) => loaded ?? fetch(event.request))
  const response = await answer.catch(() => undefined)
  if (response?.ok) event.waitUntil(keepPage(response.clone()))
  // A proxy answers like that in front of a server that is down.
  if (response && response.status < 500) return response
  return (await find('/')) ?? response ?? Response.error()
}

/** A file whose name changes with its content comes from the cache, a file with a fixed name from the server. */
async function answerFile(request) {
  const isHashed = new URL(request.url).pathname.startsWith('/assets/')
  const kept = isHashed ? await find(request) : undefined
  if (kept) {
    await keepFile(request, kept.clone())
    return kept
  }
  const response = await (isHashed ? askUntilUp(request) : fetch(request).catch(() => undefined))
  if (response?.ok) await keepFile(request, response.clone())
  return response ?? (await find(request)) ?? Response.error()
}

/**
 * Asks the server until it answers, at most as long as the browser lets a request wait. A browser that caches the
 * failure of a module until the page is reloaded (Chromium 150 does) gets none.
 */
async function askUntilUp(request) {
  for (;;) {
    const response = await fetch(request).catch(() => undefined)
    if (response && response.status < 500) return response
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

async function keepFile(request, response) {
  const name = (await builds()).at(-1)
  if (name !== undefined) await (await caches.open(name)).put(request, response)
}

async function find(request) {
  for (const name of (await builds()).toReversed()) {
    const found = await (await caches.open(name)).match(request, { ignoreVary: true })
    if (found) return found
  }
  return undefined
}

addEventListener('install', (event) => {
  event.waitUntil(fetch('/').then(keepPage))
  skipWaiting()
})

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()]))
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || /^\/(api|collab)(\/|$)/.test(pathname)) return
  if (request.mode === 'navigate') event.respondWith(answerPage(event))
  else if (/^\/(assets\/|theme\.js$|icon\.svg$)/.test(pathname)) event.respondWith(answerFile(request))
})

// A page tells which files it had loaded before this worker saw its requests.
addEventListener('message', (event) => {
  const files = event.data.loaded.filter((url) => new URL(url).pathname.startsWith('/assets/'))
  event.waitUntil(Promise.all(files.map((url) => answerFile(new Request(url)))))
})
