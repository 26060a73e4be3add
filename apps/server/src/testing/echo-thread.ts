import { answerRequests } from '../threads/thread-worker.ts'

/** A thread for the tests of `ThreadWorker`. */
answerRequests<string, string>((request) => {
  if (request === 'throw') throw new Error('asked to throw')
  if (request === 'exit') process.exit(1)
  while (request === 'spin');
  return `echo ${request}`
})
