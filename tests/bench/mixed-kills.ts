/**
 * `npm run bench -- mixed-kills [kills] [seed] [people]`: kills a server 100 times while people
 * sign up, upload, order, pay, cancel and delete, and shows that all that was acknowledged stays
 * true and that rows and files agree.
 */
import { runMixedKills } from '#tests/soak/integration/kill/mixed-rounds.ts'
import { median } from './statistics.ts'

const [kills = '100', seed = '1', people = '4'] = process.argv.slice(2)
const report = await runMixedKills({
  kills: Number(kills),
  seed: Number(seed),
  people: Number(people),
  loadMs: 2_500,
  onRound: (killed, startSeconds) =>
    process.stderr.write(`${killed} kills, started in ${startSeconds.toFixed(1)} s\n`),
})
const { startSeconds, kept, rows } = report
const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
process.stdout.write(
  `${report.kills} kills, ${report.killsOfDatabases} with the database, ${report.killsOfStarts} during a start
${startSeconds.length} starts, all succeeded: median ${median(startSeconds).toFixed(1)} s, longest ${Math.max(...startSeconds).toFixed(1)} s
${report.people} people; still true at the end: ${list(kept)}
in the database: ${list(rows)}
`,
)
