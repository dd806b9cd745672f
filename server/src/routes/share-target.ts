import { Hono } from 'hono'

/**
 * `POST /share-target`: what another app of a device shares while the service worker, which takes
 * it, does not run. Nothing of it is read: a video has no upload and no owner here. The page says
 * to choose it again.
 */
export function createShareTarget(): Hono {
  const app = new Hono()
  app.post('/share-target', (c) => {
    // The rest of the body is not waited for.
    c.header('connection', 'close')
    return c.redirect('/uploads/new?shared=missed', 303)
  })
  return app
}
