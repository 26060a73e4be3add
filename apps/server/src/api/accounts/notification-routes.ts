import {
  DocumentPeople,
  ListNotificationsQuery,
  NotificationList,
  ReadNotifications,
  UnreadCount,
} from '@copydesk/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiDeps, requireDocument, requirePerson } from '../requests/context.ts'
import { route } from '../requests/route.ts'

/** Routes for the caller's notifications, and for the people who can be mentioned in a document. */
export function notificationRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  const list = route('Notifications of the caller, newest first', {
    description: 'Mentions of the caller, and replies in threads that they take part in.',
    querystring: ListNotificationsQuery,
    200: NotificationList,
  })
  const read = route('Mark notifications as read: those named in ids, or all', {
    body: ReadNotifications,
    200: UnreadCount,
  })
  const people = route('People who have opened the document and can be mentioned there, and its agents', {
    params: z.object({ id: z.string() }),
    200: DocumentPeople,
  })
  return async (app) => {
    app.get('/notifications', list, async (request) => {
      const user = await requirePerson(request, deps)
      return deps.notifications.list(user, request.query.cursor)
    })
    app.post('/notifications/read', read, async (request) => {
      const user = await requirePerson(request, deps, 'comment')
      await deps.notifications.markRead(user.id, request.body.ids)
      return { unread: await deps.notifications.unread(user) }
    })
    app.get('/documents/:id/people', people, async (request) => {
      await requireDocument(request, deps, 'read')
      const { id } = request.params
      return { people: await deps.visits.people(id), agents: await deps.agents.ofDocument(id) }
    })
  }
}
