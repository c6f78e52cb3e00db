// The type of a dashboard as Grafana publishes it in @grafana/schema, with the types of the panels used here in place of its open fields.
// The test appends the dashboard, which must then compile: an unknown field, a missing one or a wrong value is an error.
import type { Dashboard, Panel, RowPanel } from '@grafana/schema/dist/types/raw/dashboard/x/dashboard_types.gen.d.ts';
import type {
  FieldConfig as TimeSeriesFields, Options as TimeSeriesOptions,
} from '@grafana/schema/dist/types/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen.d.ts';
import type { Options as StatOptions } from '@grafana/schema/dist/types/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen.d.ts';

// JSON has no enums, only their values.
type Json<T> = unknown extends T ? T
  : T extends string ? `${T}`
  : T extends number | boolean | null | undefined ? T
  : T extends (infer E)[] ? Json<E>[]
  : { [K in keyof T]: Json<T[K]> };

type Fields = NonNullable<Panel['fieldConfig']>;

type PanelOf<Type extends string, Options, Custom> = Json<Omit<Panel, 'type' | 'options' | 'fieldConfig'>> & {
  type: Type;
  options: Json<Options>;
  fieldConfig: Json<Omit<Fields, 'defaults'>> & { defaults: Json<Omit<Fields['defaults'], 'custom'>> & { custom?: Json<Custom> } };
};

type Checked = Json<Omit<Dashboard, 'panels'>> & {
  panels: (Json<RowPanel> | PanelOf<'timeseries', TimeSeriesOptions, TimeSeriesFields> | PanelOf<'stat', StatOptions, Record<string, never>>)[];
};

export const dashboard: Checked =
