import {
  ChosenModel,
  CreateProvider,
  LocalServers,
  ModelTest,
  OfferedModels,
  PatchProvider,
  Provider,
  ProviderList,
  PutModel,
  RemovedModel,
} from '@copydesk/protocol'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findLocalServers } from '../../models/local-servers.ts'
import { requireAgentOperator } from '../requests/account-context.ts'
import type { ApiDeps } from '../requests/context.ts'
import { operatorRoute } from '../requests/route.ts'

const params = z.object({ provider: z.string() })

/** Routes for models by configuration, for operators: providers with keys and models, and the default model. */
export function providerRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('preHandler', async (request) => void (await requireAgentOperator(request, deps)))
    await app.register(setUpRoutes(deps))
    await app.register(modelRoutes(deps))
    await app.register(askingRoutes(deps))
  }
}

function setUpRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const list = operatorRoute('All providers of models', { 200: ProviderList })
    app.get('/providers', list, async () => deps.providers.list())

    const create = operatorRoute('Add a provider', { body: CreateProvider, 201: Provider })
    app.post('/providers', create, async (request, reply) => {
      const { user } = await requireAgentOperator(request, deps)
      return reply.status(201).send(await deps.providers.create(request.body, user.id))
    })

    const patch = operatorRoute('Change a provider, or replace its key', { params, body: PatchProvider, 200: Provider })
    app.patch('/providers/:provider', patch, async (request) =>
      deps.providers.change(request.params.provider, request.body),
    )

    const remove = operatorRoute('Delete a provider and its key', { params, 204: z.null() })
    app.delete('/providers/:provider', remove, async (request, reply) => {
      await deps.providers.delete(request.params.provider)
      return reply.status(204).send(null)
    })
  }
}

function modelRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const put = operatorRoute('Add a model to a provider, or change it', { params, body: PutModel, 200: Provider })
    app.put('/providers/:provider/models', put, async (request) => {
      const { provider } = request.params
      await deps.providers.putModel(provider, request.body)
      return deps.providers.find(provider)
    })

    const remove = operatorRoute('Remove a model from a provider', { params, querystring: RemovedModel, 200: Provider })
    app.delete('/providers/:provider/models', remove, async (request) => {
      const { provider } = request.params
      await deps.providers.removeModel(provider, request.query.model)
      return deps.providers.find(provider)
    })

    const choose = operatorRoute('Set the model of runs without one of their own', {
      body: ChosenModel,
      200: ProviderList,
    })
    app.put('/providers/default', choose, async (request) => {
      await deps.providers.setDefault(request.body.model)
      return deps.providers.list()
    })
  }
}

function askingRoutes(deps: ApiDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const offered = operatorRoute('The models that a provider offers', { params, 200: OfferedModels })
    app.get('/providers/:provider/models', offered, async (request, reply) =>
      deps.providers.offered(request.params.provider, untilClosed(reply)),
    )

    const test = operatorRoute('Send one small request with a tool to a model', { body: ChosenModel, 200: ModelTest })
    app.post('/providers/test', test, async (request, reply) =>
      deps.providers.test(request.body.model, untilClosed(reply)),
    )

    const local = operatorRoute('Model servers on this machine that no provider uses', { 200: LocalServers })
    app.get('/providers/local', local, async () => {
      const { providers } = await deps.providers.list()
      const used = new Set(providers.map(({ baseUrl }) => baseUrl))
      return { servers: await findLocalServers(deps.localServers.filter(({ baseUrl }) => !used.has(baseUrl))) }
    })
  }
}

/** A signal that aborts when the client closes the connection. */
function untilClosed(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  return closed.signal
}
