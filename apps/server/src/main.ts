// A separate entry file: modules loaded on demand import run-server.ts and must not start another server.
const { runServer } = await import('./run-server.ts')
runServer()
