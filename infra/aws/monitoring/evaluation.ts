/** Values of a metric, one a minute; undefined in a minute without data. */
export type Series = readonly (number | undefined)[];

/** Series by the names of metrics. Of several metrics with one name, the first has the series and the others have no data. */
export type Minutes = Readonly<Record<string, Series>>;

interface MetricStat {
  readonly Metric: { readonly MetricName: string };
  readonly Period: number;
  readonly Stat: string;
}

/** The properties of an alarm in a template: of one metric, or of an expression over several. */
export interface AlarmProperties {
  readonly MetricName?: string;
  readonly Statistic?: string;
  readonly Period?: number;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: MetricStat;
  }[];
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm: number;
  readonly TreatMissingData: string;
}

type State = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** Whether a value breaches. */
const BREACHES: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

const STATISTICS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Maximum: (values) => Math.max(...values),
};

/** Functions of metric math, as far as alarms use them. */
const MATH = {
  IF: (condition: boolean, one: number, other: number) => (condition ? one : other),
  FILL: (value: number | undefined, filled: number) => value ?? filled,
  SUM: (values: Series) => statistic('Sum', values),
};

function statistic(name: string, values: Series): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length > 0 ? STATISTICS[name]?.(present) : undefined;
}

/** The states of an alarm, one a minute, as CloudWatch evaluates it: each minute, over the periods that end then. */
export function statesOf(alarm: AlarmProperties, minutes: Minutes): State[] {
  const { EvaluationPeriods: periods, TreatMissingData: missing } = alarm;
  const { period, valueAt } = reader(alarm, minutes);
  const length = Math.max(...Object.values(minutes).map((series) => series.length));
  const breaches = BREACHES[alarm.ComparisonOperator];
  if (!breaches) throw new Error(`${alarm.ComparisonOperator} is not evaluated`);
  const states: State[] = [];
  for (let minute = 0; minute < length; minute++) {
    // A period before the first minute has no data.
    const values = Array.from({ length: periods }, (_, n) => valueAt(minute - n * period));
    const known = values.filter((value) => value !== undefined);
    const breaching = known.filter((value) => breaches(value, alarm.Threshold)).length;
    const before = states.at(-1) ?? 'INSUFFICIENT_DATA';
    if (breaching >= alarm.DatapointsToAlarm) states.push('ALARM');
    else if (missing === 'notBreaching') states.push('OK');
    else if (known.length > 0) states.push('OK');
    else states.push(missing === 'ignore' ? before : 'INSUFFICIENT_DATA');
  }
  return states;
}

/** Reads the value of an alarm in the period that ends with a minute. */
function reader({ Metrics, ...alarm }: AlarmProperties, minutes: Minutes) {
  const single = { Metric: { MetricName: `${alarm.MetricName}` }, Stat: `${alarm.Statistic}` };
  const metrics = Metrics ?? [{ Id: 'm', MetricStat: { ...single, Period: Number(alarm.Period) } }];
  const expression = metrics.find(({ Expression }) => Expression)?.Expression ?? metrics[0]?.Id;
  const taken = new Set<string>();
  const read = metrics.flatMap(({ Id, MetricStat }) => {
    if (!MetricStat) return [];
    const { MetricName } = MetricStat.Metric;
    const series = taken.has(MetricName) ? [] : (minutes[MetricName] ?? []);
    taken.add(MetricName);
    return [{ id: Id, series, stat: MetricStat.Stat, period: MetricStat.Period / 60 }];
  });
  const hasData = read.some(({ series }) => series.length > 0);
  const names = [...Object.keys(MATH), ...read.map(({ id }) => id)];
  const evaluate = new Function(...names, `return ${expression}`) as (...values: unknown[]) => unknown;
  return {
    period: Math.max(...read.map(({ period }) => period)),
    valueAt(minute: number): number | undefined {
      if (!hasData) return undefined;
      const values = read.map(({ series, stat, period }) =>
        statistic(stat, series.slice(Math.max(0, minute + 1 - period), Math.max(0, minute + 1))),
      );
      const value = evaluate(...Object.values(MATH), ...values);
      return values.every((each) => each === undefined) || !Number.isFinite(value)
        ? undefined
        : (value as number);
    },
  };
}

/** How often an alarm fires: the number of times that it goes to `ALARM`. */
export const firings = (states: readonly State[]): number =>
  states.filter((state, minute) => state === 'ALARM' && states[minute - 1] !== 'ALARM').length;

/** The states of an alarm that fires with any of its parts. */
export const anyOf = (parts: readonly (readonly State[])[]): State[] =>
  (parts[0] ?? []).map((_, minute) => (parts.some((states) => states[minute] === 'ALARM') ? 'ALARM' : 'OK'));
