import { Button, Field, IconSettings, Switch } from "@fairtick/ui";
import { useState } from "react";
import { formatCount } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { changeChart, useChartSettings, type ChartPlace } from "./chart-settings.ts";
import { boundsOf, firstParams, INDICATORS, readParams, type IndicatorName } from "./indicator-list.ts";

/** All indicators with a switch each, and their parameters. */
export function IndicatorList({ place = "main" }: { readonly place?: ChartPlace }) {
  const t = useText();
  const { indicators } = useChartSettings(place);
  const [edited, setEdited] = useState<IndicatorName | null>(null);

  function show(name: IndicatorName, on: boolean, params = firstParams(name)) {
    const others = indicators.filter((other) => other.name !== name);
    changeChart({ indicators: on ? [...others, { name, params }] : others }, place);
  }

  return (
    <ul className="chart-list">
      {INDICATORS.map(({ name }) => {
        const shown = indicators.find((other) => other.name === name);
        const params = shown?.params ?? firstParams(name);
        const label = t(`chart.indicator.${name}`);
        return (
          <li key={name}>
            <div className="chart-list-row">
              <div>
                <p>{label}</p>
                <p className="note soft">{[name, params.map(formatCount).join(", ")].filter(Boolean).join(" · ")}</p>
              </div>
              {params.length > 0 && (
                <button
                  type="button"
                  className="bar-button"
                  aria-label={t("chart.paramsOf", { name: label })}
                  aria-expanded={edited === name}
                  onClick={() => {
                    setEdited(edited === name ? null : name);
                  }}
                >
                  <IconSettings size="small" />
                </button>
              )}
              <Switch label={label} on={shown !== undefined} onChange={(on) => show(name, on, params)} />
            </div>
            {edited === name && (
              <ParamFields
                key={name}
                name={name}
                params={params}
                onChange={(changed) => {
                  show(name, true, changed);
                }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** An indicator's parameters. An out-of-bounds value is reported at its field and leaves the chart unchanged. */
function ParamFields({
  name,
  params,
  onChange,
}: {
  readonly name: IndicatorName;
  readonly params: readonly number[];
  readonly onChange: (params: readonly number[]) => void;
}) {
  const t = useText();
  const [typed, setTyped] = useState(() => params.map(String));
  const isWrong = (place: number) => {
    const one = firstParams(name).map((first, at) => (at === place ? Number(typed[place]?.replace(",", ".")) : first));
    return typed[place]?.trim() === "" || readParams(name, one) !== one;
  };
  return (
    <div className="chart-params">
      {typed.map((value, place) => {
        const { least, most } = boundsOf(name, place);
        return (
          <Field
            // oxlint-disable-next-line react/no-array-index-key -- a parameter is known by its place
            key={place}
            label={t("chart.param", { number: place + 1 })}
            inputMode="decimal"
            autoComplete="off"
            value={value}
            wrong={
              isWrong(place) ? t("chart.paramWrong", { least: formatCount(least), most: formatCount(most) }) : undefined
            }
            onChange={(event) => {
              const { value: next } = event.currentTarget;
              setTyped(typed.map((other, at) => (at === place ? next : other)));
            }}
            onBlur={() => {
              if (typed.every((_, at) => !isWrong(at))) onChange(typed.map((other) => Number(other.replace(",", "."))));
            }}
          />
        );
      })}
      <Button
        lowkey
        onClick={() => {
          setTyped(firstParams(name).map(String));
          onChange(firstParams(name));
        }}
      >
        {t("chart.resetParams")}
      </Button>
    </div>
  );
}
