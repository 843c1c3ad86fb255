from django.db import migrations, models

COUNT = """
INSERT INTO ranking_rung (ladder, period, xp, people)
SELECT ladder, period, xp, COUNT(*) FROM ranking_standing GROUP BY ladder, period, xp
"""


class Migration(migrations.Migration):
    dependencies = [("ranking", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Rung",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ladder", models.CharField(max_length=32, verbose_name="ladder")),
                ("period", models.CharField(max_length=8, verbose_name="period")),
                ("xp", models.IntegerField(verbose_name="XP")),
                ("people", models.IntegerField(verbose_name="people")),
            ],
            options={
                "verbose_name": "rung",
                "verbose_name_plural": "rungs",
                "indexes": [models.Index(fields=["ladder", "period", "xp", "people"], name="rung_sum")],
            },
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]
