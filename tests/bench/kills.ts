/**
 * `npm run bench -- kills [kills] [seed]`: kills a server under load again and again (100 times)
 * and shows that each start succeeds, how long it takes, and that nothing acknowledged is lost.
 */
import { runKills } from '#tests/soak/integration/kill/kill-rounds.ts'
import { median } from './statistics.ts'

const [kills = '100', seed = '1'] = process.argv.slice(2)
const report = await runKills({
  kills: Number(kills),
  seed: Number(seed),
  onRound: (killed, startSeconds) =>
    process.stderr.write(`${killed} kills, started in ${startSeconds.toFixed(1)} s\n`),
})
const { startSeconds, acknowledged } = report
process.stdout.write(
  `${report.kills} kills, ${report.killsOfDatabases} with the database, ${report.killsOfStarts} during a start
${startSeconds.length} starts, all succeeded: median ${median(startSeconds).toFixed(1)} s, longest ${Math.max(...startSeconds).toFixed(1)} s
acknowledged and kept: ${acknowledged.parts} parts, ${acknowledged.uploads} uploads; the stored file is byte for byte the one that was sent
`,
)
