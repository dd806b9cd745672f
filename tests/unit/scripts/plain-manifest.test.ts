import { expect, it } from 'vitest'
import { plainManifest } from '#scripts/vite-plain-manifest.ts'

it('PHO-05 the plain manifest does what the usual one does, under another name', () => {
  const files: Record<string, string> = {}
  const plugin = plainManifest({
    id: '/',
    name: 'Onecut',
    description: 'Edits of videos',
    start_url: '/edits',
    share_target: { action: '/shared', method: 'POST', params: {} },
    shortcuts: [
      { name: 'New Upload', url: '/uploads/new' },
      { name: 'My Edits', url: '/edits' },
    ],
  })
  const context = {
    emitFile: ({ fileName, source }: { fileName: string; source: string }) => {
      files[fileName] = source
    },
  }
  Reflect.apply(plugin.generateBundle as () => void, context, [])
  const text = files['plain.webmanifest'] ?? ''
  expect(text).not.toMatch(/onecut/i)
  expect(JSON.parse(text)).toMatchObject({
    id: '/?plain',
    name: 'Planner',
    start_url: '/edits',
    share_target: { action: '/shared' },
    shortcuts: [{ url: '/uploads/new' }, { url: '/edits' }],
  })
})
