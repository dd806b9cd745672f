import { expect, it } from 'vitest'
import { createMetrics } from '#server/metrics.ts'

it('SCL-05 prints what was counted and what is read, each with its help and type', async () => {
  const metrics = createMetrics()
  metrics.count('onecut_deliveries_failed_total', { kind: 'send-mail' })
  metrics.count('onecut_deliveries_failed_total', { kind: 'send-mail' })
  metrics.count('onecut_deliveries_failed_total', { kind: 'sweep' }, 3)
  metrics.gauge('onecut_free', 'Room.', () => [
    { value: 12.5 },
    { labels: { path: 'a"b\\c\nd' }, value: 1 },
  ])
  const text = await metrics.text()
  expect(text).toContain(
    `# HELP onecut_deliveries_failed_total Deliveries of the queue that failed, by kind.
# TYPE onecut_deliveries_failed_total counter
onecut_deliveries_failed_total{kind="send-mail"} 2
onecut_deliveries_failed_total{kind="sweep"} 3
`,
  )
  expect(text).toContain(String.raw`# TYPE onecut_free gauge
onecut_free 12.5
onecut_free{path="a\"b\\c\nd"} 1
`)
  expect(text.endsWith('\n')).toBe(true)
  expect(metrics.total('onecut_deliveries_failed_total')).toBe(5)
})

it('SCL-05 leaves out what cannot be read, and prints the rest', async () => {
  const metrics = createMetrics(1)
  metrics.gauge('onecut_away', 'Of the database.', () => Promise.reject(new Error('away')))
  metrics.gauge('onecut_late', 'Of a database that says nothing.', () => new Promise(() => {}))
  metrics.gauge('onecut_here', 'Of this process.', () => [{ value: 1 }])
  const text = await metrics.text()
  expect(text).toContain('# TYPE onecut_away gauge\n# HELP onecut_late')
  expect(text).toContain('# TYPE onecut_late gauge\n# HELP onecut_here')
  expect(text).toContain('onecut_here 1\n')
})
