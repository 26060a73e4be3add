// A separate entry file: modules loaded on demand share code with run-server.ts and must not start another server.
const { runServer } = await import('./run-server.ts')
runServer()
