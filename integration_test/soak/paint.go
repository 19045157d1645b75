package main

import (
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// paint writes a PNG with a diagram for each figure, one above the other.
func paint(path, title string, samples []sample) error {
	diagrams := []struct {
		name  string
		value func(sample) float64
	}{
		{"live heap, MiB", func(s sample) float64 { return s.heap }},
		{"resident, MiB", func(s sample) float64 { return s.resident }},
		{"goroutines", func(s sample) float64 { return s.goroutines }},
		{"descriptors", func(s sample) float64 { return s.descriptors }},
		{"blocks", func(s sample) float64 { return s.blocks }},
	}
	canvas := vgimg.New(22*vg.Centimeter, vg.Length(len(diagrams))*6*vg.Centimeter)
	tiles := draw.Tiles{Rows: len(diagrams), Cols: 1, PadX: vg.Centimeter, PadY: vg.Centimeter / 2, PadLeft: vg.Centimeter, PadRight: vg.Centimeter}
	for i, diagram := range diagrams {
		p := plot.New()
		if p.Y.Label.Text = diagram.name; i == 0 {
			p.Title.Text = title
		}
		p.Y.Min = 0
		points := make(plotter.XYs, len(samples))
		for j, s := range samples {
			points[j] = plotter.XY{X: float64(j), Y: diagram.value(s)}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color = color.RGBA{R: 0x1f, G: 0x5f, B: 0xbf, A: 0xff}
		p.Add(plotter.NewGrid(), line)
		p.Y.Max *= 1.1
		p.Draw(tiles.At(draw.New(canvas), 0, i))
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(file); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
